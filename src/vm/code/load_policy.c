/* Which code is loaded: files that fit the chosen OTP; functions that are refused. */
#include <stdlib.h>

#include "beamfile/opcode.h"
#include "vm/bifs/open_file.h"
#include "vm/code/load.h"

bool load_fits_release(const struct beamfile *bf, struct err *err)
{
	unsigned release = code_otp_release();

	if (strncmp(beamfile_module(bf), "fermata_", 8) == 0 || getenv("FERMATA_BEAM_ANY_RELEASE"))
		return true;
	for (size_t i = 0; i < bf->instrs_len; i++) {
		const struct opcode_info *op = opcode_info(bf->instrs[i].op);

		if (op->first > release)
			return err_set_unsupported(
				err, "%s was compiled for OTP %u or later (%s), but the libraries "
				"are of OTP %u: choose another OTP with --otp, or compile again",
				beamfile_module(bf), op->first, op->name, release);
		if (op->last && op->last < release)
			return err_set_unsupported(
				err, "%s was compiled for OTP %u or earlier (%s), but the libraries "
				"are of OTP %u: choose another OTP with --otp, or compile again",
				beamfile_module(bf), op->last, op->name, release);
	}
	return true;
}

bool load_is_refused(const struct loader *ld, term function)
{
	const struct {
		const char *module;
		const char *function;
		bool is_allowed;
	} refused[] = {
#define REFUSED(module, function) {module, function, false},
#define REFUSED_WITHOUT_IO(module, function) {module, function, open_file_may_write()},
#include "vm/code/refused.def"
#undef REFUSED
#undef REFUSED_WITHOUT_IO
	};

	if (!ld->is_of_otp || function == A_module_info)
		return false;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (!refused[i].is_allowed &&
		    strcmp(refused[i].module, atom_text(ld->image->module)) == 0 &&
		    (refused[i].function[0] == '*' ||
		     strcmp(refused[i].function, atom_text(function)) == 0))
			return true;
	return false;
}

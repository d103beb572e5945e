/* rerun_answer.c: the answers of a replay in words. */
#include "cli/replay/rerun.h"

static const struct {
	const char *word, *text;
	int status;
} answers[] = {
#define ANSWER(name, word, status, text) [RERUN_##name] = {word, text, status},
#include "cli/replay/replay_answer.def"
#undef ANSWER
};

const char *rerun_answer_word(enum rerun_answer answer)
{
	return answers[answer].word;
}

const char *rerun_answer_text(enum rerun_answer answer)
{
	return answers[answer].text;
}

int rerun_answer_status(enum rerun_answer answer)
{
	return answers[answer].status;
}

/* packet.h: finds the end of the packet at the start of some bytes, for erlang:decode_packet/3.
 * Each framing computes the length of the head and of the packet, or reports that it needs more
 * bytes. */
#ifndef VM_BIFS_PACKET_H
#define VM_BIFS_PACKET_H

#include "vm/process/process.h"

enum packet_status { PACKET_OK, PACKET_MORE, PACKET_INVALID };

struct packet_options {
	uint64_t packet_size; /* 0: any */
	uint64_t line_length; /* 0: any */
	uint8_t delimiter;
};

struct packet {
	size_t start; /* the program gets bytes[start .. end) */
	size_t end;
	size_t next;  /* where the rest begins */
	uint64_t total; /* PACKET_MORE: bytes needed in all, 0: not known */
};

/* The end of a line, as `line` frames it. */
enum packet_status packet_find_line(const uint8_t *bytes, size_t len,
				    const struct packet_options *options, struct packet *packet);

/* One line of HTTP: bytes[0 .. len) with its end of line. */
term packet_http_first(struct process *p, const uint8_t *bytes, size_t len, bool as_binary);
term packet_http_header(struct process *p, const uint8_t *bytes, size_t len, bool as_binary);

#endif

/* etf_print.c: external terms as text. */
#include "beamfile/etf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_reserved(const char *text, size_t len)
{
	static const char *const words[] = {
		"after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor",
		"case", "catch", "cond", "div", "else", "end", "fun", "if", "let", "maybe", "not",
		"of", "or", "orelse", "receive", "rem", "try", "when", "xor",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
			return true;
	return false;
}

static bool is_plain_atom(const char *text, size_t len)
{
	if (len == 0 || text[0] < 'a' || text[0] > 'z' || is_reserved(text, len))
		return false;
	for (size_t i = 1; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '@')
			return false;
	return true;
}

static void print_char(struct strbuf *out, uint8_t c, char quote)
{
	if (c == '\n')
		strbuf_adds(out, "\\n");
	else if (c == (uint8_t)quote || c == '\\')
		strbuf_addf(out, "\\%c", c);
	else if (c < 0x20 || c == 0x7f)
		strbuf_addf(out, "\\x{%X}", c);
	else
		strbuf_addc(out, (char)c);
}

void etf_print_atom(struct strbuf *out, const char *text, size_t len)
{
	if (is_plain_atom(text, len)) {
		strbuf_add(out, text, len);
		return;
	}
	strbuf_addc(out, '\'');
	for (size_t i = 0; i < len; i++)
		print_char(out, (uint8_t)text[i], '\'');
	strbuf_addc(out, '\'');
}

static void print_float(struct strbuf *out, double number)
{
	char text[40];

	for (int digits = 1; digits <= 17; digits++) { /* the shortest that reads back */
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_adds(out, text);
	if (!strpbrk(text, ".en"))
		strbuf_adds(out, ".0");
}

static void print_big(struct strbuf *out, const struct etf_term *term)
{
	strbuf_adds(out, term->value < 0 ? "-16#" : "16#");
	for (size_t i = term->len; i-- > 0;)
		strbuf_addf(out, "%02X", term->bytes[i]);
}

static bool is_printable(const struct etf_term *term)
{
	for (size_t i = 0; i < term->len; i++)
		if (term->bytes[i] != '\n' && (term->bytes[i] < 0x20 || term->bytes[i] >= 0x7f))
			return false;
	return true;
}

static void print_numbers(struct strbuf *out, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		strbuf_addf(out, "%s%d", i ? "," : "", bytes[i]);
}

static void print_text(struct strbuf *out, const struct etf_term *term)
{
	strbuf_addc(out, '"');
	for (size_t i = 0; i < term->len; i++)
		print_char(out, term->bytes[i], '"');
	strbuf_addc(out, '"');
}

static void print_string(struct strbuf *out, const struct etf_term *term)
{
	if (is_printable(term)) {
		print_text(out, term);
		return;
	}
	strbuf_addc(out, '[');
	print_numbers(out, term->bytes, term->len);
	strbuf_addc(out, ']');
}

static void print_binary(struct strbuf *out, const struct etf_term *term)
{
	strbuf_adds(out, "<<");
	if (term->len && term->value == 8 && is_printable(term)) {
		print_text(out, term);
	} else if (term->len) {
		uint8_t last = term->bytes[term->len - 1];

		print_numbers(out, term->bytes, term->len - (term->value < 8));
		if (term->value < 8)
			strbuf_addf(out, "%s%d:%d", term->len > 1 ? "," : "",
				    last >> (8 - term->value), (int)term->value);
	}
	strbuf_adds(out, ">>");
}

static void print_items(struct strbuf *out, const struct etf_term *items, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i)
			strbuf_addc(out, ',');
		etf_print(out, &items[i]);
	}
}

static void print_list(struct strbuf *out, const struct etf_term *term)
{
	const struct etf_term *tail = &term->items[term->len - 1];

	strbuf_addc(out, '[');
	print_items(out, term->items, term->len - 1);
	if (tail->kind != ETF_NIL) {
		strbuf_addc(out, '|');
		etf_print(out, tail);
	}
	strbuf_addc(out, ']');
}

static void print_map(struct strbuf *out, const struct etf_term *term)
{
	strbuf_adds(out, "#{");
	for (size_t i = 0; i + 1 < term->len; i += 2) {
		if (i)
			strbuf_addc(out, ',');
		etf_print(out, &term->items[i]);
		strbuf_adds(out, "=>");
		etf_print(out, &term->items[i + 1]);
	}
	strbuf_addc(out, '}');
}

static void print_export(struct strbuf *out, const struct etf_term *term)
{
	strbuf_adds(out, "fun ");
	etf_print(out, &term->items[0]);
	strbuf_addc(out, ':');
	etf_print(out, &term->items[1]);
	strbuf_addc(out, '/');
	etf_print(out, &term->items[2]);
}

void etf_print(struct strbuf *out, const struct etf_term *term)
{
	switch (term->kind) {
	case ETF_INT: strbuf_addf(out, "%lld", (long long)term->value); break;
	case ETF_BIG: print_big(out, term); break;
	case ETF_FLOAT: print_float(out, term->number); break;
	case ETF_ATOM: etf_print_atom(out, (const char *)term->bytes, term->len); break;
	case ETF_NIL: strbuf_adds(out, "[]"); break;
	case ETF_LIST: print_list(out, term); break;
	case ETF_STRING: print_string(out, term); break;
	case ETF_TUPLE:
		strbuf_addc(out, '{');
		print_items(out, term->items, term->len);
		strbuf_addc(out, '}');
		break;
	case ETF_MAP: print_map(out, term); break;
	case ETF_BINARY: print_binary(out, term); break;
	case ETF_EXPORT: print_export(out, term); break;
	case ETF_OTHER: strbuf_adds(out, "..."); break;
	}
}

/* etf_tags.h: the tag bytes of the external term format that are read or written here. */
#ifndef VM_TERMS_ETF_TAGS_H
#define VM_TERMS_ETF_TAGS_H

enum etf_tag {
	ETF_NEW_FLOAT = 70, ETF_BIT_BINARY = 77, ETF_COMPRESSED = 80, ETF_NEW_PID = 88,
	ETF_NEW_PORT = 89, ETF_NEWER_REF = 90, ETF_SMALL_INT = 97, ETF_INT = 98,
	ETF_OLD_FLOAT = 99, ETF_ATOM = 100, ETF_REF = 101, ETF_PORT = 102, ETF_PID = 103,
	ETF_SMALL_TUPLE = 104, ETF_LARGE_TUPLE = 105, ETF_NIL = 106, ETF_STRING = 107, ETF_LIST = 108, ETF_BINARY = 109,
	ETF_SMALL_BIG = 110, ETF_LARGE_BIG = 111, ETF_NEW_FUN = 112, ETF_EXPORT = 113,
	ETF_NEW_REF = 114, ETF_SMALL_ATOM = 115, ETF_MAP = 116, ETF_ATOM_UTF8 = 118,
	ETF_SMALL_ATOM_UTF8 = 119, ETF_V4_PORT = 120, ETF_VERSION = 131,
};

/* The creation that a reference of this machine is written with when it has flags (enum ref_flags):
 * the flags themselves and the bits of ETF_CREATION_OF_FLAGS. */
#define ETF_CREATION_OF_FLAGS 0xfe25ba00u
#define ETF_REF_FLAGS 0xffu

#endif

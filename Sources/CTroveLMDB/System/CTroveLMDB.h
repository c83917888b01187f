// The liblmdb that the system installs. Its functions are `trove_mdb_*` here, too: only the names in Swift are others,
// the symbols are those of the library.

#ifndef TROVE_LMDB_H
#define TROVE_LMDB_H

#include <lmdb.h>

#define TROVE_ENGINE_IS_BUILT_FROM_SOURCE 0

#define TROVE_TEXT(prefix) TROVE_TEXT_OF(prefix)
#define TROVE_TEXT_OF(prefix) #prefix
// Symbols of C have a prefix on Apple's systems, an underscore.
#define TROVE_SYMBOL(name) __asm__(TROVE_TEXT(__USER_LABEL_PREFIX__) "mdb_" #name)
#include "../Functions.h"
#undef TROVE_SYMBOL
#undef TROVE_TEXT
#undef TROVE_TEXT_OF

#endif

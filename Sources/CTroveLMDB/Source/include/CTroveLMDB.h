// The liblmdb that is compiled into this module, `engine.c`. Its symbols begin with `trove_`, so a program may have any
// other liblmdb beside it. Types and constants are those of the package that has the sources.

#ifndef TROVE_LMDB_H
#define TROVE_LMDB_H

#include <lmdb.h>

#define TROVE_ENGINE_IS_BUILT_FROM_SOURCE 1

#define TROVE_SYMBOL(name)
#include "../../Functions.h"
#undef TROVE_SYMBOL

#endif

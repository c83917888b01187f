// The C interface for Swift: libstemmer as the system installs it.

#ifndef TROVE_CSTEMMER_SHIM_H
#define TROVE_CSTEMMER_SHIM_H

#include <libstemmer.h>

#endif

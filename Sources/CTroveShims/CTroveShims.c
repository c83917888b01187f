// SwiftPM expects a file to compile. All functions are inline, in the header.

#include "CTroveShims.h"

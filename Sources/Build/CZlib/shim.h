// Imports gzopen and gzread from zlib, which read both plain and gzip files.
#include <zlib.h>

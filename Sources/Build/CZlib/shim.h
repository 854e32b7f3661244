// zlib's gzopen/gzread, which read plain and gzip files alike.
#include <zlib.h>

/// Returns the next release and, in brackets, the commit of the build or `development`.
///
/// The caller must not free the text.
const char *_Nonnull baton_version(void);

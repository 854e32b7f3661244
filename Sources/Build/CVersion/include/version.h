/// The next release and, in brackets, the commit that this was built from or `development`; never freed.
const char *_Nonnull baton_version(void);

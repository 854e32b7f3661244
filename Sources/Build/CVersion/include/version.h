/// The commit that this was built from, or `development`; never freed.
const char *_Nonnull baton_commit(void);

// For its jobs and its worker, a program needs only `import Baton`. Files with commands import
// ArgumentParser, and files that send statements import BatonPostgres. ArgumentParser and
// BatonPostgres are not exported, because names such as `Flag` and `Row` would collide with the
// program's own names.
@_exported public import BatonJobs
@_exported public import JobRunner

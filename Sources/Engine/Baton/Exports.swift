// A program needs only `import Baton` for its jobs and its worker. Files with commands import ArgumentParser, and
// files that send statements import BatonPostgres. Those two are not exported, because their names, such as `Row` and
// `Flag`, would collide with the program's own.
@_exported public import BatonJobs
@_exported public import JobRunner

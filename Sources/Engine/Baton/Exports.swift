// A program needs only `import Baton` for its jobs and its worker. Files with commands import ArgumentParser, and files
// that send statements import BatonPostgres: their names, such as `Row` and `Flag`, would collide with the author's own.
@_exported public import BatonJobs
@_exported public import JobRunner

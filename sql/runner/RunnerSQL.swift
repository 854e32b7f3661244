// The statements that the runner sends, from the `.sql` files in this folder. For example, the file
// `queue/fold.sql` becomes `SQL.Queue.fold`, and `SQL.runner` is the runner's schema module. This
// file exists because a target needs at least one Swift file. During the build, the plugin EmbedSQL
// generates the other Swift files.

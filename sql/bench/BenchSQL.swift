// The statements that the bench sends, from the `.sql` files in this folder. For example, the file
// `drain/fill_runs.sql` becomes `SQL.Drain.fillRuns`, and the files in `raw` become
// `SQL.benchScripts`. This file exists because a target needs at least one Swift file. During the
// build, the plugin EmbedSQL generates the other Swift files.

// What the bench sends, as the `.sql` files of this folder hold it: `drain/fill_runs.sql` is
// `SQL.Drain.fillRuns`, and `SQL.benchScripts` are the files of `raw`. A target needs one file of Swift; the
// plugin EmbedSQL generates the rest while building.

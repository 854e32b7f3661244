// Every statement that the bench sends. The `.sql` files of this folder contain them: `drain/fill_runs.sql` is
// `SQL.Drain.fillRuns`, and `SQL.benchScripts` are the files of `raw`. A target needs one file of Swift; the
// plugin EmbedSQL generates the rest while building.

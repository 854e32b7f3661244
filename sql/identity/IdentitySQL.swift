// The schema module for the identity of a transaction, `SQL.identity`, from the `.sql` files in
// this folder. A server checks its logins with the statements in `SQL.Login`. This file exists
// because a target needs at least one Swift file. During the build, the plugin EmbedSQL generates
// the other Swift files.

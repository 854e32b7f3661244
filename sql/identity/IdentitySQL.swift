// The schema module for the identity of a transaction, `SQL.identity`, and the statements with
// which a server checks its logins, `SQL.Login`, from the `.sql` files in this folder. This file
// exists because a target needs at least one Swift file. During the build, the plugin EmbedSQL
// generates the other Swift files.

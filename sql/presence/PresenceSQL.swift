// The statements about presence, from the `.sql` files in this folder. For example, the file
// `groups/list_groups.sql` becomes `SQL.Groups.listGroups`, and `SQL.presence` is the schema
// module. This file exists because a target needs at least one Swift file. During the build, the
// plugin EmbedSQL generates the other Swift files.

// Every statement about who is where, as the `.sql` files of this folder hold it: `groups/list_groups.sql` is
// `SQL.Groups.listGroups`, and `SQL.presence` is their part of a schema. A target needs one file of Swift;
// the plugin EmbedSQL generates the rest while building.

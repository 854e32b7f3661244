// Every statement about presence. The `.sql` files of this folder contain them: `groups/list_groups.sql` is
// `SQL.Groups.listGroups`, and `SQL.presence` is the presence part of a schema. A target needs one file of Swift;
// the plugin EmbedSQL generates the rest while building.

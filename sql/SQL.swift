/// Every statement that is sent, as the `.sql` files of this folder hold it.
///
/// The rest of this type is generated while building: `sql/queue/fold.sql` is `SQL.Queue.fold`,
/// and `SQL.migrations` lists `sql/migrations` in order.
public enum SQL {}

/// The objects that one library or program owns in a schema: its migrations, functions, views and triggers.
///
/// The plugin `EmbedSQL` makes one part from a folder of SQL: `sql/orders` of the target `OrdersSQL` is `SQL.orders`.
public struct SchemaPart: Sendable {
  /// Its name in the schema's records, which must never change.
  public let name: String
  /// The version of its functions, views and triggers: an older program never replaces those of a newer one.
  public let version: Int
  /// The migrations, oldest first.
  public let migrations: [Statement]
  /// The objects in the order of their creation.
  public let objects: [SchemaObject]
  /// The functions that the role of an API may execute, of this part or of another, as `api.sql` lists them.
  ///
  /// They belong to the part's version. Empty if there is no `api.sql`.
  public let api: [String]
  /// Roles, grants and policies, with `{worker}` for the name of a role: `access/*.sql` in their order.
  ///
  /// They belong to the part's version.
  public let access: [Statement]

  /// A part.
  public init(
    _ name: String, version: Int, migrations: [Statement], objects: [SchemaObject],
    api: [String] = [],
    access: [Statement] = []
  ) {
    self.access = access
    self.name = name
    self.version = version
    self.migrations = migrations
    self.objects = objects
    self.api = api
  }
}

/// A function, view or trigger; its text replaces the existing object.
public struct SchemaObject: Sendable {
  /// The kind of an object, which is the name of its folder without the plural.
  public enum Kind: String, Sendable, CaseIterable {
    /// A function of any language.
    case function
    /// A view.
    case view
    /// A trigger on one table.
    case trigger
  }

  /// The kind of the object.
  public let kind: Kind
  /// Its name, which is unique among the objects of this kind in the schema.
  public let name: String
  /// The table of a trigger; empty for others.
  public let table: String
  /// `create or replace`, and further statements that belong to the object.
  public let statement: Statement

  /// An object.
  public init(_ kind: Kind, _ name: String, table: String = "", _ statement: Statement) {
    self.kind = kind
    self.name = name
    self.table = table
    self.statement = statement
  }
}

/// Every statement that is sent, with the text of its `.sql` file.
///
/// The plugin `EmbedSQL` generates the rest: `sql/orders/shipping/list_late.sql` is `SQL.Shipping.listLate`.
public enum SQL {}

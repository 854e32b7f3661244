import BatonPostgres
import BatonTemplate

/// The name of a new package, and the names that are derived from it.
struct PackageName {
  /// `shop-floor`: the name of the package, its program and its folder.
  let text: String

  /// `ShopFloor`: the name of the module and of the program's type.
  var type: String {
    text.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
  /// `shopFloor`: the schema module, as the plugin EmbedSQL derives its name.
  var part: String { type.prefix(1).lowercased() + type.dropFirst() }
  /// `shop_floor`: the schema, as ``Program/defaultSchema`` derives its name.
  var schema: String { text.replacing("-", with: "_") }

  /// Checks a name.
  ///
  /// - Throws: ``Complaint`` if the text cannot name a package.
  init(_ text: String) throws(Complaint) {
    self.text = text
    let isWord = text.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil
    guard isWord, text.utf8.count <= 50, Schema(schema) != nil else {
      throw Complaint(
        .usage, what: "'\(text)' cannot be the name of a package.", place: "NAME",
        next: "Use lower-case letters and digits, in words with a - between them, 50 at most: "
          + "`shop`, `shop-floor`. It is also the name of the schema, so not `public` or `pg-...`.")
    }
    let names = [type, type + "SQL", type + "Tests"].map { $0.lowercased() }
    guard Self.taken.isDisjoint(with: names), !Self.keywords.contains(part),
      !Self.wordsOfTemplate.contains(type)
    else {
      throw Complaint(
        .usage,
        what: "'\(text)' is a name that Swift, Baton or the package's own code has already.",
        place: "NAME", next: "Give it another one, such as \(text)-jobs.")
    }
  }

  /// The modules of Baton, of its dependencies and of Swift, in lower case: a build cannot contain two modules of one
  /// name.
  private static let taken = Set(
    Template.names.map { $0.lowercased() }
      + """
      argumentparser asyncalgorithms collections concurrencyhelpers foundation glibc logging \
      servicelifecycle swift synchronization testing unixsignals xctest
      """.split(separator: " ").map(String.init))

  /// Keywords, which cannot name a value or a type.
  private static let keywords = Set(
    """
    any as associatedtype await break case catch class continue default defer deinit do else enum \
    extension fallthrough false fileprivate for func guard if import in init inout internal is let \
    nil operator precedencegroup private protocol public repeat rethrows return self static struct \
    subscript super switch throw throws true try type typealias var where while
    """.split(separator: " ").map(String.init))

  /// The words in the template's Swift code, without comments: a type of that name would hide the one that the code
  /// uses.
  private static var wordsOfTemplate: Set<String> {
    Set(
      Template.files.filter { $0.path.hasSuffix(".swift") }.flatMap { file in
        file.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
          .flatMap { $0.matches(of: /\w+/).map { String($0.output) } }
      })
  }
}

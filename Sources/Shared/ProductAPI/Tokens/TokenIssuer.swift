#if HTTP
  import Foundation
  import Logging

  /// An identity provider whose tokens the API accepts.
  package struct TokenIssuer: Sendable {
    /// The accepted values of the `iss` claim.
    let names: [String]
    /// The name of the provider in the product, such as `apple`.
    let provider: String
    /// The ids of the apps whose tokens are accepted.
    ///
    /// The `aud` claim must contain the id of at least one of the apps.
    let audiences: Set<String>
    /// Whether the `sub` claim is the user's id in the product.
    let isUser: Bool
    let keys: IssuerKeys

    /// An issuer in the issuers file.
    struct Entry: Codable {
      let provider: String
      let audience: [String]
      let issuer: String?
      let keys: String?
    }

    /// The provider name of an issuer whose tokens contain ids of the product's users.
    package static let users = "users"

    /// The providers whose entries in the issuers file can omit `issuer` and `keys`.
    private static let known = [
      "apple": (["https://appleid.apple.com"], "https://appleid.apple.com/auth/keys"),
      "google": (
        ["https://accounts.google.com", "accounts.google.com"],
        "https://www.googleapis.com/oauth2/v3/certs"
      ),
    ]

    /// Creates an issuer from an element of the issuers file.
    ///
    /// - Throws: ``Malformed`` with the reason.
    init(_ entry: Entry, logger: Logger) throws(Malformed) {
      let known = Self.known[entry.provider]
      guard let names = entry.issuer.map({ [$0] }) ?? known?.0 else {
        throw Malformed("'\(entry.provider)' has no issuer")
      }
      guard let place = entry.keys ?? known?.1, let source = KeySource(place) else {
        throw Malformed(
          "'\(entry.provider)' needs keys: an https URL, or the absolute path of a file")
      }
      guard !entry.audience.isEmpty, !entry.audience.contains("") else {
        throw Malformed("'\(entry.provider)' has no audience")
      }
      (self.names, provider, audiences) = (names, entry.provider, Set(entry.audience))
      isUser = entry.provider == Self.users
      keys = IssuerKeys(source, of: entry.provider, logger: logger)
    }

    struct Malformed: Error {
      let what: String
      init(_ what: String) { self.what = what }
    }

    /// Parses the issuers file.
    ///
    /// If an issuer's tokens contain ids of the product's users, the file must not contain another
    /// issuer. A second issuer in the file could sign tokens for the first issuer's users.
    ///
    /// - Parameters:
    ///   - providers: the names of the product's providers.
    ///   - logger: the log for errors that occur when the issuers' keys are read.
    /// - Throws: ``Malformed`` with the reason.
    static func list(
      _ data: Data, providers: [String], logger: Logger
    ) throws(Malformed) -> [TokenIssuer] {
      guard let entries = try? JSONDecoder().decode([Entry].self, from: data), !entries.isEmpty
      else {
        throw Malformed("the file is not a JSON list of objects with provider and audience")
      }
      for entry in entries where !providers.contains(entry.provider) {
        throw Malformed(
          "'\(entry.provider)' is not one of the providers \(providers.joined(separator: ", "))")
      }
      guard Set(entries.map(\.provider)).count == entries.count else {
        throw Malformed("a provider has several issuers")
      }
      guard entries.count == 1 || !entries.contains(where: { $0.provider == users }) else {
        throw Malformed("the provider '\(users)' must be the only one")
      }
      var issuers: [TokenIssuer] = []
      for entry in entries { issuers.append(try TokenIssuer(entry, logger: logger)) }
      guard Set(issuers.flatMap(\.names)).count == issuers.flatMap(\.names).count else {
        throw Malformed("two providers have the same issuer")
      }
      return issuers
    }
  }
#endif

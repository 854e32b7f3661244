#if HTTP
  import Foundation
  import JWTKit
  import Logging

  /// The public keys of an issuer. If a token refers to an unknown key, the keys are reread.
  ///
  /// Keys are read at most once a minute, even if many tokens refer to unknown keys. Keys are also
  /// reread after an hour, so that a withdrawn key becomes invalid. If the issuer does not respond,
  /// the last keys remain valid for a day.
  actor IssuerKeys {
    /// A public key and its algorithm.
    ///
    /// The key must not be used with any other algorithm.
    struct Key: Sendable {
      let algorithm: String
      let verifier: JWTKeyCollection
    }

    private static let shortestPause = Duration.seconds(60)
    private static let longestUse = Duration.seconds(3_600)
    private static let longestOutage = Duration.seconds(86_400)

    private let source: KeySource
    private let provider: String
    private let logger: Logger
    private var keys: [String: Key] = [:]
    private var readAt: ContinuousClock.Instant?
    private var triedAt: ContinuousClock.Instant?
    private var reading: Task<Bool, Never>?

    init(_ source: KeySource, of provider: String, logger: Logger) {
      (self.source, self.provider, self.logger) = (source, provider, logger)
    }

    /// Returns the key with the given id, or nil if the issuer has no such key.
    ///
    /// A token without a key id is accepted only if the issuer has exactly one key.
    ///
    /// - Throws: ``APIRefusal`` with status 503 if the keys cannot be read. The status is not 401,
    ///   because the token may be valid.
    func key(_ id: String?, at now: ContinuousClock.Instant = .now) async throws(APIRefusal) -> Key?
    {
      let isOld = readAt.map { $0.duration(to: now) >= Self.longestUse } ?? true
      if !isOld, let key = find(id) { return key }
      let mayRead = triedAt.map { $0.duration(to: now) >= Self.shortestPause } ?? true
      // Concurrent requests share one read of the keys.
      if mayRead || reading != nil { _ = await refresh(at: now) }
      guard let readAt, readAt.duration(to: now) < Self.longestOutage else { throw unreadable() }
      if let key = find(id) { return key }
      guard triedAt.map({ $0 <= readAt }) ?? true else { throw unreadable() }
      return nil
    }

    /// The error if the keys could not be read, with the time until the next attempt.
    private func unreadable() -> APIRefusal {
      let next = (triedAt ?? .now) + Self.shortestPause
      let seconds = ContinuousClock.now.duration(to: next) / .seconds(1)
      return .unavailable(
        "the keys of the identity provider cannot be read", at: "the token",
        seconds: max(1, Int(seconds.rounded(.up))))
    }

    private func find(_ id: String?) -> Key? {
      guard let id else { return keys.count == 1 ? keys.first?.value : nil }
      return keys[id]
    }

    private func refresh(at now: ContinuousClock.Instant) async -> Bool {
      if let reading { return await reading.value }
      triedAt = now
      let reading = Task { await self.read(at: now) }
      self.reading = reading
      defer { self.reading = nil }
      return await reading.value
    }

    private func read(at now: ContinuousClock.Instant) async -> Bool {
      do {
        let data = try await source.read()
        guard let found = await Self.keys(in: data) else {
          throw KeySource.Unreadable(why: "the content is not a JSON Web Key Set")
        }
        (keys, readAt) = (found, now)
        return true
      } catch {
        // The reason is only logged, not sent to clients.
        let why = (error as? KeySource.Unreadable)?.why ?? error.localizedDescription
        logger.warning("API: the keys of the provider '\(provider)' cannot be read: \(why)")
        return false
      }
    }
  }

  extension IssuerKeys {
    /// A set of keys, in which keys of unknown types are skipped.
    private struct KeySet: Decodable {
      let keys: [Known]

      struct Known: Decodable {
        let key: JWK?
        init(from decoder: any Decoder) throws { key = try? JWK(from: decoder) }
      }
    }

    /// The minimum base64 length of an accepted RSA key's modulus, which represents 2,048 bits.
    private static let shortestModulus = 340

    /// Returns the usable keys by id, or nil if the data is not a set of keys.
    static func keys(in data: Data) async -> [String: Key]? {
      guard let set = try? JSONDecoder().decode(KeySet.self, from: data) else { return nil }
      var found: [String: Key] = [:]
      for var jwk in set.keys.compactMap(\.key) {
        guard let algorithm = algorithm(of: jwk) else { continue }
        // The algorithm is stored with the key, so a token cannot choose another algorithm for it.
        (jwk.algorithm, jwk.privateExponent) = (algorithm, nil)
        let id = jwk.keyIdentifier?.string ?? ""
        jwk.keyIdentifier = JWKIdentifier(string: id)
        let verifier = JWTKeyCollection()
        guard (try? await verifier.add(jwk: jwk)) != nil else { continue }
        found[id] = Key(algorithm: algorithm.rawValue, verifier: verifier)
      }
      return found
    }

    /// Returns the algorithm that the key specifies, or the default algorithm for the key's type.
    private static func algorithm(of key: JWK) -> JWK.Algorithm? {
      switch (key.keyType, key.curve?.rawValue) {
      case (.rsa, _):
        guard let modulus = key.modulus, modulus.utf8.count >= shortestModulus else { return nil }
        let accepted: [JWK.Algorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        let own = key.algorithm ?? .rs256
        return accepted.contains(own) ? own : nil
      case (.ecdsa, "P-256"): return .es256
      case (.ecdsa, "P-384"): return .es384
      case (.ecdsa, "P-521"): return .es512
      case (.octetKeyPair, "Ed25519"): return .eddsa
      default: return nil
      }
    }
  }
#endif

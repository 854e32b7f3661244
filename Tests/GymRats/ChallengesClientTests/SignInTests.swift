import Challenges
import ChallengesTesting
import Foundation
import SHA256
import Testing

/// Tests digests, nonces, and which user is signed in.
@Suite struct SignInTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests are those of FIPS 180-4`(text: String, digest: String) {
    #expect(SHA256Digest.hex(of: text.utf8) == digest)
  }

  @Test func `a million letters have the digest that the standard gives`() {
    #expect(
      SHA256Digest.hex(of: repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `texts of every length round a block differ`() {
    let digests = (0...200).map { SHA256Digest.hex(of: repeatElement(0, count: $0)) }
    #expect(Set(digests).count == 201)
  }

  @Test func `nonces are 32 letters that nobody had before, and their digests 64 digits`() {
    let nonces = (0..<1_000).map { _ in SignInNonce() }
    #expect(Set(nonces).count == 1_000)
    #expect(nonces.allSatisfy { $0.text.utf8.count == 32 && $0.sha256.utf8.count == 64 })
    #expect(nonces[0].sha256 == SHA256Digest.hex(of: nonces[0].text.utf8))
  }

  /// A provider that knows one address.
  private struct Provider: IdentityService {
    func token(email: String, password: String) async throws -> IdentityToken {
      guard email == "ana@example.org", password == "right" else {
        throw AuthError.invalidCredential
      }
      return IdentityToken(provider: .email, text: "token of ana")
    }

    func forget() async throws {}
  }

  /// A server that accepts the provider's tokens.
  private actor Accounts: AccountService {
    private var user: SocialUser?

    func signIn(with token: IdentityToken) async throws -> SocialUser {
      guard token.text == "token of ana" else { throw AuthError.invalidCredential }
      let signedIn = SocialUser(
        id: "ana", displayName: "Ana", authProvider: .email, createdAt: EntityTests.instant)
      user = signedIn
      return signedIn
    }

    func signedInUser() async throws -> SocialUser? { user }

    func signOut() async throws { user = nil }
  }

  @Test func `a password goes to the provider, its token to the server`() async throws {
    let authentication = TokenAuthentication(identities: Provider(), accounts: Accounts())
    for (email, password) in [("ana@example.org", "wrong"), ("", "right"), ("ana@example.org", "")]
    {
      await #expect(throws: AuthError.invalidCredential) {
        try await authentication.signInWithEmail(email, password: password)
      }
    }
    #expect(try await authentication.currentUser() == nil)
    let user = try await authentication.signInWithEmail("ana@example.org", password: "right")
    #expect(try await authentication.currentUser() == user)
    // An account of another provider is not the account of the session.
    await #expect(throws: AuthError.invalidCredential) {
      try await authentication.signIn(with: IdentityToken(provider: .apple, text: "token of ana"))
    }
    try await authentication.signOut()
    #expect(try await authentication.currentUser() == nil)
  }

  @Test func `the provider of memory knows who was registered, and gives them a name`() async throws
  {
    let server = InMemoryChallenges { EntityTests.instant }
    let phone = InMemoryAuthentication(server: server)
    await phone.register("hidden@example.org", password: "right", userId: "u1")
    await #expect(throws: AuthError.invalidCredential) {
      try await phone.signInWithEmail("hidden@example.org", password: "wrong")
    }
    let user = try await phone.signInWithEmail("hidden@example.org", password: "right")
    #expect(user.displayName.wholeMatch(of: /User \d+/) != nil && user.asksForName)
    #expect(try await phone.currentUser() == user)
    try await phone.signOut()
    #expect(try await phone.currentUser() == nil)
  }
}

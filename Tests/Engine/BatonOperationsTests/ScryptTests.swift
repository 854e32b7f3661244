#if HTTP
  import Testing

  @testable import Baton
  @testable import BatonOperations

  /// Tests the hashes of passwords.
  @Suite struct ScryptTests {
    @Test func `a password has its hash, and no other password has it`() async throws {
      let verifier = ScryptVerifier()
      // In a debug build, each hash of the standard cost takes seconds.
      let cost = PasswordHash.Cost(rounds: 8, blockSize: 8, parallelism: 5)
      let hash = try ScryptVerifier.hash("correct horse", cost: cost)
      let again = try #require(PasswordHash("\(hash)"))
      #expect(await verifier.isRight("correct horse", for: again))
      for wrong in ["correct hors", "correct horse ", "Correct horse", ""] {
        #expect(await !verifier.isRight(wrong, for: hash), "\(wrong)")
      }
      #expect(await !verifier.isRight("", for: nil))
      let other = try ScryptVerifier.hash("correct horse", cost: cost)
      #expect(other.salt != hash.salt && other.hash != hash.hash)
    }

    /// The third test vector of RFC 7914, section 12.
    @Test func `the hash is that of RFC 7914`() async throws {
      let bytes: [UInt8] = [
        0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38,
        0xeb,
        0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d, 0xa1,
        0xf2,
        0xd5, 0x43, 0x29, 0x55, 0x61, 0x3f, 0x0f, 0xcf, 0x62, 0xd4, 0x97, 0x05, 0x24, 0x2a, 0x9a,
        0xf9,
        0xe6, 0x1e, 0x85, 0xdc, 0x0d, 0x65, 0x1e, 0x40, 0xdf, 0xcf, 0x01, 0x7b, 0x45, 0x57, 0x58,
        0x87,
      ]
      let hash = PasswordHash(
        cost: .init(rounds: 14, blockSize: 8, parallelism: 1), salt: Array("SodiumChloride".utf8),
        hash: bytes)
      #expect(await ScryptVerifier().isRight("pleaseletmein", for: hash))
    }
  }
#endif

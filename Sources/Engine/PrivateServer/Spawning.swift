package import Foundation

/// What every program that we start has in common.
package enum Spawning {
  /// All signals as at the start of a process: the caller may ignore or block some, which a child
  /// would inherit.
  ///
  /// - Parameter flags: what else is set in the attributes.
  package static func useDefaultSignals(
    _ attributes: inout posix_spawnattr_t, flags: Int32 = 0
  ) {
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  }

  /// Strings as C takes lists of them: each ends with a zero, the list with a null.
  ///
  /// - Parameter strings: bytes without zeros; they need not be text.
  package static func withCStrings<Result>(
    _ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { string in
      (string + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { strdup($0) } ?? nil
      }
    }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

package import Foundation

/// Helpers for starting programs with `posix_spawn`.
package enum Spawning {
  /// Resets all of the child's signals to their defaults.
  ///
  /// By default, a child ignores and blocks the same signals as the caller. With the attributes
  /// that this method sets, the child does not ignore or block any signals.
  ///
  /// - Parameter flags: additional flags for the attributes.
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

  /// Passes strings to `body` as a C array.
  ///
  /// Each string ends with a zero byte, and the array ends with a null pointer.
  ///
  /// - Parameter strings: the bytes of the strings, without zero bytes. The bytes need not be valid
  ///   text.
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

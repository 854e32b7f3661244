import Foundation

/// Calls `body` with a NULL-terminated array of C strings.
///
/// If a secret is given, it is the last string. After the call, the copies of the strings are
/// overwritten, because a string may contain a password.
func withCStrings<R>(
  _ strings: [String], and secret: Secret? = nil,
  _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
) -> R {
  let copies = strings.map { strdup($0) }
  defer {
    for case .some(let copy) in copies {
      overwrite(copy, strlen(copy))
      free(copy)
    }
  }
  let pointers = copies.map { $0.map { UnsafePointer($0) } }
  func call(_ pointers: [UnsafePointer<CChar>?]) -> R {
    pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array ends in NULL") }
      return body(base)
    }
  }
  guard let secret else { return call(pointers + [nil]) }
  return secret.withCString { call(pointers + [$0, nil]) }
}

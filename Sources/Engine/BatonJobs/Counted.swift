/// Returns a number and a noun in the singular or plural: `1 run`, `2 runs`, `0 batches`.
package func counted(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
  "\(number) \(number == 1 ? one : many ?? one + "s")"
}

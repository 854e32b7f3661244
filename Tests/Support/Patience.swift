import Foundation

/// The factor by which time limits of tests are extended on a busy machine.
///
/// With `make test`, eight concurrent tests share two cores with other processes of a CI machine.
/// With `BATON_PATIENCE=1`, time limits are not extended. `make test-all` uses this value for tests
/// of latency, which run one at a time.
package let patience = Int(ProcessInfo.processInfo.environment["BATON_PATIENCE"] ?? "") ?? 4

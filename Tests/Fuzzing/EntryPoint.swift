// Where libFuzzer enters. `scripts/fuzz` compiles it; the package does not know it.

import Foundation
import FuzzTargets

/// The target that the script names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TROVE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("TROVE_FUZZ_TARGET names no target: \(name)") }
    return target
}()

/// Runs one input; a violation ends the process, by which libFuzzer knows it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    } catch {
        fatalError("\(error)")
    }
}

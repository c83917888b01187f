// The entry point of libFuzzer. `scripts/fuzz` compiles it; it is not part of the package.

import Foundation
import FuzzTargets

/// The target that the script chose.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TROVE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("TROVE_FUZZ_TARGET names no target: \(name)") }
    return target
}()

/// Checks an input. A violation ends the process: libFuzzer reports the crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    } catch {
        fatalError("\(error)")
    }
}

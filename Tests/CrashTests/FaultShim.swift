// The library between a worker and the system, compiled from Shim/FaultShim.c when the tests need it.

import Foundation
import Testing
import TroveTestSupport

/// A fault of the system: the failing call, and the kind of failure.
struct Fault: Sendable, CustomTestStringConvertible {
    let call: String
    /// The `errno`; 0 for a partial write.
    let error: Int32
    /// Whether the call succeeds, but reports a failure.
    var isDone = false
    /// Whether all later calls fail as well.
    var lasts = false

    static let all = [
        Fault(call: "pwrite", error: EIO), Fault(call: "pwrite", error: EIO, isDone: true),
        Fault(call: "pwrite", error: ENOSPC), Fault(call: "pwrite", error: 0),
        Fault(call: "meta", error: EIO, isDone: true),
        Fault(call: "writev", error: EIO), Fault(call: "writev", error: EIO, isDone: true),
        Fault(call: "writev", error: ENOSPC), Fault(call: "writev", error: 0),
        Fault(call: "write", error: EIO), Fault(call: "write", error: ENOSPC), Fault(call: "write", error: 0),
        Fault(call: "lseek", error: EIO), Fault(call: "fdatasync", error: EIO),
        Fault(call: "fdatasync", error: ENOSPC), Fault(call: "fsync", error: EIO),
        Fault(call: "fallocate", error: ENOSPC), Fault(call: "mmap", error: ENOMEM),
        Fault(call: "malloc", error: ENOMEM),
    ].flatMap { fault in [fault, Fault(call: fault.call, error: fault.error, isDone: fault.isDone, lasts: true)] }

    var testDescription: String {
        let names = [0: "part only", EIO: "EIO", ENOSPC: "ENOSPC", ENOMEM: "ENOMEM"]
        return "\(call) \(names[error] ?? "\(error)")\(isDone ? " yet done" : "") \(lasts ? "from N on" : "once")"
    }

    /// Returns the variables that make the shim fail the call with a number.
    func environment(_ number: Int) -> [String: String] {
        var variables = ["FAULT_CALL": call, "FAULT_NUMBER": "\(number)", "FAULT_ERROR": "\(error)"]
        if isDone { variables["FAULT_DONE"] = "1" }
        if lasts { variables["FAULT_LASTS"] = "1" }
        return variables
    }
}

struct FaultShim: Sendable {
    private let directory: TemporaryDirectory
    private let library: String

    /// The shim; an error if it does not compile.
    static let shared = Result { try FaultShim() }

    /// Whether the shim is available. It needs a C compiler, and no sanitizer, which replaces the same functions.
    static let isAvailable = !hasSanitizer && (try? shared.get()) != nil

    private static var hasSanitizer: Bool {
        let program = unsafe dlopen(nil, RTLD_NOW)
        return unsafe dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }

    private struct NotCompiled: Error {}

    private init() throws {
        directory = try TemporaryDirectory()
        library = directory.path("FaultShim.so")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Shim/FaultShim.c")
        for compiler in ["cc", "clang"] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [compiler, "-shared", "-fPIC", "-O1", "-o", library, source.path, "-ldl"]
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { continue }
            // The shared shim is kept until the process exits.
            atexit { _ = try? FileManager.default.removeItem(atPath: FaultShim.shared.get().directory.path) }
            return
        }
        throw NotCompiled()
    }

    /// Returns the variables for a worker whose calls on the files of a directory are counted, logged, or fail.
    func environment(
        directory: String, fault: [String: String] = [:], counts: String? = nil, log: String? = nil
    ) -> [String: String] {
        var variables = fault
        variables["LD_PRELOAD"] = library
        variables["FAULT_DIRECTORY"] = directory
        variables["FAULT_COUNTS"] = counts
        variables["FAULT_LOG"] = log
        return variables
    }

    /// Returns the number of calls of each function, and of failed calls, from the file of a worker that has ended.
    static func counts(at path: String) -> [String: Int] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
        var counts: [String: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            counts[String(words[0])] = Int(words[1])
        }
        return counts
    }
}

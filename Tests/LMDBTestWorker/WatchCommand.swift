// A program that may open no more files for a while, and watches its environment.

import Foundation
import LMDB

extension EnvironmentCommands {
    /// Arms a watch while the system refuses descriptors, and again afterwards.
    func watchWithoutDescriptors() throws {
        let isWritten = DispatchSemaphore(value: 0)
        let watch = FileWatch { isWritten.signal() }
        let limit = try DescriptorLimit()
        for _ in 0..<2 {
            do throws(LMDBError) {
                try watch.arm(on: environment)
                say("armed")
            } catch {
                say("code \(error.code.rawValue)")
            }
        }
        limit.lift()
        try watch.arm(on: environment)
        try environment.write { _ = try $0.createDatabase("table") }
        guard isWritten.wait(timeout: .now() + 10) == .success else { throw WorkerError(message: "no report") }
        say("reported")
    }
}

/// The limit on the descriptors of this process, from its creation until `lift`: no more can be opened.
private struct DescriptorLimit {
    private let before: rlimit

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    init() throws {
        var limits = rlimit()
        guard unsafe getrlimit(Self.resource, &limits) == 0 else { throw WorkerError(message: "getrlimit") }
        before = limits
        limits.rlim_cur = 3
        guard unsafe setrlimit(Self.resource, &limits) == 0 else { throw WorkerError(message: "setrlimit") }
    }

    func lift() {
        var limits = before
        _ = unsafe setrlimit(Self.resource, &limits)
    }
}

// A limit on the address space of this process, which prevents a larger map.

import Foundation

/// The limit, from its creation until `lift`.
struct AddressSpaceLimit {
    private let before: rlimit

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
    private static let resource = RLIMIT_AS
    #endif

    /// Limits the address space to the current use plus the megabytes.
    init(megabytesMore megabytes: Int) throws {
        let statistics = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = statistics.split(separator: " ").first.flatMap({ Int($0) }) else {
            throw WorkerError(message: "no statistics")
        }
        var limits = rlimit()
        guard unsafe getrlimit(Self.resource, &limits) == 0 else { throw WorkerError(message: "getrlimit") }
        before = limits
        limits.rlim_cur = rlim_t(pages * Int(getpagesize()) + megabytes << 20)
        guard unsafe setrlimit(Self.resource, &limits) == 0 else { throw WorkerError(message: "setrlimit") }
    }

    func lift() {
        var limits = before
        _ = unsafe setrlimit(Self.resource, &limits)
    }
}

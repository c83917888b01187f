// Many stores in one process: their maps leave address space to memory and threads.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite struct ManyStoresTests {
    /// More than the address space has room for at the size of a single map.
    private static let count = Torture.amount(600, full: 2000)

    /// Whether the system allows the three open files of each store.
    private static let allowsDescriptors: Bool = {
        var limits = rlimit()
        #if canImport(Glibc)
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return false }
        #else
        guard unsafe getrlimit(RLIMIT_NOFILE, &limits) == 0 else { return false }
        #endif
        return limits.rlim_max > 3 * UInt(count) + 200
    }()

    @Test(.enabled(if: allowsDescriptors, "the system allows too few open files"))
    func manyFiles_leaveAddressSpace_andTheirMapsGrow() throws { try run("many-files") }

    @Test(.enabled(if: allowsDescriptors, "the system allows too few open files"))
    func manyTemporaryStores_leaveAddressSpace_andTheirMapsGrow() throws { try run("many-temporary") }

    private func run(_ command: String) throws {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess([command, directory.path, "\(Self.count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "\(Self.count) open")
        #expect(child.readLine() == "\(1 << 30) bytes")
        #expect(child.readLine() == "a thread")
        try child.writeLine("grow")
        #expect(child.readLine() == "grown")
        #expect(child.wait() == 0)
    }
}

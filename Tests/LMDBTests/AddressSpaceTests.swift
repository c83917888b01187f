// The sizes of automatic maps, and maps that the system refuses.

import TroveTestSupport
import Testing

@testable import LMDB

@Suite struct AddressSpaceTests {
    @Test func automaticMaps_leaveTheirShareUnused_howeverManyThereAre() {
        let share = 32 << 40
        let space = AddressSpace(share: share)
        var total = 0
        var sizes: [Int] = []
        for _ in 0..<100_000 {
            let size = space.automaticSize(preferring: 1 << 40)
            space.note(size)
            total += size
            sizes.append(size)
        }
        #expect(sizes.prefix(10).allSatisfy { $0 == 1 << 40 })
        #expect(sizes[1999] > 100 << 20)
        #expect(total < share)
        // Closed files give their part back.
        space.note(-total)
        #expect(space.automaticSize(preferring: 1 << 40) == 1 << 40)
        // Explicit sizes can take the whole share.
        space.note(2 * share)
        #expect(space.automaticSize(preferring: 1 << 40) == 0)
    }

    @Test func smallAddressSpace_hasSmallMaps() {
        let space = AddressSpace(share: 2 << 30)
        #expect(space.automaticSize(preferring: 1 << 40) == 128 << 20)
        #expect(AddressSpace(share: 0).automaticSize(preferring: 1 << 40) == 0)
    }

    /// An app on iOS cannot raise a limit, and needs an entitlement.
    @Test func fewAddresses_haveAnAdviceOfTheirOwn() {
        #expect(AddressSpace.advice(isSmall: true).contains("com.apple.developer.kernel.extended-virtual-addressing"))
        #expect(AddressSpace.advice(isSmall: false).contains("ulimit"))
        let error = LMDBError(.noAddressSpace, in: "mmap", path: "/p", limit: 4096)
        #expect(error.description.contains(AddressSpace.advice()))
    }

    @Test func mapThatTheSystemRefuses_isNamed_andNoFileRemains() throws {
        let directory = try TemporaryDirectory()
        let error = failure {
            _ = try Environment(path: directory.path("a.mdb"), options: EnvironmentOptions(mapSize: 1 << 60))
        }
        #expect(error?.code == .noAddressSpace)
        #expect(error?.limit == 1 << 60)
        #expect(error?.description.contains("address space") == true)
        #expect(error?.description.contains("mapSize") == true)
        #expect(try directory.names().isEmpty)
        // The file exists, and has an automatic map elsewhere.
        do { _ = try Environment(path: directory.path("a.mdb")) }
        let reopened = failure {
            _ = try Environment(path: directory.path("a.mdb"), options: EnvironmentOptions(mapSize: 1 << 60))
        }
        #expect(reopened?.code == .noAddressSpace)
    }
}

// The async form of opening a store at a file URL.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Store {
    /// The async form of `init(url:records:migrations:options:progress:)`.
    public convenience init(
        url: URL, records: [any IndexKeyRecord.Type] = [], migrations: MigrationPolicy = .onOpen,
        options: StoreOptions = StoreOptions(), progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws {
        try await self.init(
            path: url.storePath, records: records, migrations: migrations, options: options, progress: progress)
    }
}

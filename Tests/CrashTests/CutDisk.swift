// A disk whose power can be cut. Flushed data survives; any part of the other data may survive.

/// The files in a directory.
///
/// The bytes of a file are durable after the file was flushed; its name is durable after the directory was flushed.
struct CutDisk {
    /// Disks write a sector of this size as a whole or not at all.
    private static let sectorSize = 512

    private struct File {
        var durable: [UInt8] = []
        var pending: [Pending] = []
    }

    fileprivate enum Pending {
        /// A durable write survives every cut. It stays in order with the other writes until the next flush.
        case write(offset: Int, bytes: [UInt8], isDurable: Bool)
        case truncate(Int)
    }

    fileprivate enum NameChange {
        case set(String, Int)
        case remove(String)
    }

    private let directory: String
    private var files: [File] = []
    /// The file of each name, as the running program sees it: an index of `files`.
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []

    /// Creates an empty directory.
    init(directory: String) { self.directory = directory }

    // MARK: Before the cut

    mutating func perform(_ event: DiskEvent) {
        switch event {
        case .line: break
        case .write(let path, let offset, let bytes, let isDurable):
            files[file(at: path)].pending.append(.write(offset: offset, bytes: bytes, isDurable: isDurable))
        case .truncate(let path, let size): files[file(at: path)].pending.append(.truncate(size))
        case .sync(let path) where path == directory:
            for change in pendingNames { durableNames.make(change) }
            pendingNames = []
        case .sync(let path):
            let file = file(at: path)
            for change in files[file].pending { files[file].durable.make(change) }
            files[file].pending = []
        case .link(let path, let other): change(.set(other, file(at: path)))
        case .unlink(let path): change(.remove(path))
        case .rename(let path, let other):
            change(.set(other, file(at: path)))
            change(.remove(path))
        }
    }

    private mutating func file(at path: String) -> Int {
        if let file = names[path] { return file }
        files.append(File())
        change(.set(path, files.count - 1))
        return files.count - 1
    }

    private mutating func change(_ change: NameChange) {
        names.make(change)
        pendingNames.append(change)
    }

    // MARK: After the cut

    /// Returns the possible files after a cut, each with its names: everything durable, and a random part of the rest.
    ///
    /// - Parameter next: The event under way; it may also have happened in part.
    func afterCut(
        during next: DiskEvent, using generator: inout some RandomNumberGenerator
    ) -> [(paths: [String], bytes: [UInt8])] {
        var disk = self
        switch next {
        case .write(let path, let offset, let bytes, _):
            disk.perform(.write(path: path, offset: offset, bytes: bytes, isDurable: false))
        case .sync, .line: break
        default: disk.perform(next)
        }
        return disk.remains(using: &generator)
    }

    private func remains(using generator: inout some RandomNumberGenerator) -> [(paths: [String], bytes: [UInt8])] {
        var names = durableNames
        for change in pendingNames where Bool.random(using: &generator) { names.make(change) }
        return files.indices.compactMap { file in
            let paths = names.keys.filter { names[$0] == file }.sorted()
            return paths.isEmpty ? nil : (paths, remains(of: files[file], using: &generator))
        }
    }

    private func remains(of file: File, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = file.durable
        // The sizes of the file so far, in order, and the index of the first possible size after the cut.
        var sizes = [bytes.count]
        var first = 0
        for change in file.pending {
            switch change {
            case .truncate(let size): sizes.append(size)
            case .write(let offset, let written, let isDurable):
                let end = offset + written.count
                if let size = sizes.last, end > size { sizes.append(end) }
                if isDurable { first = sizes.count - 1 }
                switch isDurable ? 0 : Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.write(written, at: offset)
                case 1: break
                default:
                    for start in stride(from: 0, to: written.count, by: Self.sectorSize)
                    where Bool.random(using: &generator) {
                        let sector = written[start..<min(start + Self.sectorSize, written.count)]
                        bytes.write(Array(sector), at: offset + start)
                    }
                }
            }
        }
        // The size is written separately from the bytes.
        bytes.resize(to: sizes[first...].randomElement(using: &generator) ?? 0)
        return bytes
    }
}

extension [String: Int] {
    fileprivate mutating func make(_ change: CutDisk.NameChange) {
        switch change {
        case .set(let name, let file): self[name] = file
        case .remove(let name): self[name] = nil
        }
    }
}

extension [UInt8] {
    fileprivate mutating func make(_ change: CutDisk.Pending) {
        switch change {
        case .write(let offset, let bytes, _): write(bytes, at: offset)
        case .truncate(let size): resize(to: size)
        }
    }

    fileprivate mutating func write(_ bytes: [UInt8], at offset: Int) {
        if count < offset + bytes.count { resize(to: offset + bytes.count) }
        replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }

    fileprivate mutating func resize(to size: Int) {
        if count > size { removeLast(count - size) }
        if count < size { append(contentsOf: repeatElement(0, count: size - count)) }
    }
}

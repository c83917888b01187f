// The commits of a store for all streams of events.

#if Inspector
import LMDB
import Trove

/// The commits of a store for all streams of events: the store is observed once, however many streams there are, and
/// not at all without a stream.
final class LiveFeed: Sendable {
    /// A part of a stream.
    enum Part: Sendable {
        case commit(LiveCommit)
        /// Nothing has happened for a while. The stream learns by it whether its browser is still there.
        case silence
        /// The observation ended with an error.
        case failure(String)
    }

    private struct Contents {
        var streams: [Int: AsyncStream<Part>.Continuation] = [:]
        var nextNumber = 0
        var observation: Task<Void, Never>?
    }

    private let store: Store
    private let contents = Monitor(Contents())

    /// The maximum number of streams.
    static let limit = 128
    /// The number of parts that a stream keeps for a slow browser. Later ones take the places of the oldest.
    private static let kept = 16
    /// The time between two elements: with at most ``changeLimit`` changes each, a hundred changes a second.
    private static let interval = Duration.milliseconds(250)
    private static let changeLimit = 25
    private static let silence = Duration.seconds(15)

    init(_ store: Store) { self.store = store }

    /// Returns the commits from now on; nil if there are too many streams.
    func parts() -> AsyncStream<Part>? {
        let (parts, stream) = AsyncStream<Part>.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
        let number: Int? = contents.withLock { contents in
            guard contents.streams.count < Self.limit else { return nil }
            let number = contents.nextNumber
            contents.nextNumber += 1
            contents.streams[number] = stream
            if contents.observation == nil { contents.observation = observe() }
            return number
        }
        guard let number else { return nil }
        // A stream keeps the feed.
        stream.onTermination = { _ in self.remove(number) }
        return parts
    }

    private func remove(_ number: Int) {
        contents.withLock { contents in
            contents.streams[number] = nil
            guard contents.streams.isEmpty else { return }
            contents.observation?.cancel()
            contents.observation = nil
        }
    }

    private func observe() -> Task<Void, Never> {
        let changes = store.storedChanges(atMost: Self.changeLimit).spaced(by: Self.interval)
        return Task { [weak self] in
            await withTaskGroup { group in
                group.addTask { [weak self] in
                    while true {
                        do { try await Task.sleep(for: Self.silence) } catch { return }
                        self?.send(.silence)
                    }
                }
                group.addTask { [weak self] in
                    do {
                        for try await commits in changes { self?.send(.commit(LiveCommit(commits))) }
                    } catch is CancellationError {
                        return
                    } catch {
                        self?.send(.failure("\(error)"))
                    }
                }
            }
        }
    }

    private func send(_ part: Part) {
        let streams = contents.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield(part) }
    }
}
#endif

// The commits of a store for all streams of events.

#if Inspector
import Foundation
import LMDB
import Trove

/// The commits of a store for all streams of events: the store is observed once, however many streams there are, and
/// not at all without a stream. A running server keeps a stream of its own, by which the first page knows the last
/// commit.
final class LiveFeed: Sendable {
    /// A part of a stream.
    enum Part: Sendable {
        case commit(LiveCommit)
        /// Nothing has happened for a while. The stream learns by it whether its browser is still there.
        case silence
        /// The observation ended with an error.
        case failure(String)
    }

    /// The parts of a stream.
    struct Parts: AsyncSequence, Sendable {
        fileprivate let stream: AsyncStream<Part>
        fileprivate let takeDropped: @Sendable () -> Int

        /// Returns the number of commits that a slow browser has lost since the last call.
        func droppedCommits() -> Int { takeDropped() }

        func makeAsyncIterator() -> AsyncStream<Part>.Iterator { stream.makeAsyncIterator() }
    }

    /// The last commit that was seen. A store without a history does not keep the times of its commits.
    struct LastCommit: Sendable {
        let commit: LiveCommit
        /// The moment at which the commit was seen.
        let moment: Date
    }

    private struct Stream {
        let continuation: AsyncStream<Part>.Continuation
        var dropped = 0
    }

    private struct Contents {
        var streams: [Int: Stream] = [:]
        var nextNumber = 0
        var observation: Task<Void, Never>?
        var last: LastCommit?
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

    /// The last commit that was seen; nil if there was none so far.
    var lastCommit: LastCommit? { contents.withLock { $0.last } }

    /// Observes the store until the task is cancelled, so that ``lastCommit`` is known without any other stream. After
    /// an error, such as that of a damaged type, it begins again.
    func follow() async {
        while !Task.isCancelled {
            if let parts = parts() { for await _ in parts {} }
            do { try await Task.sleep(for: Self.silence) } catch { return }
        }
    }

    /// Returns the commits from now on; nil if there are too many streams.
    func parts() -> Parts? {
        let (parts, stream) = AsyncStream<Part>.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
        let number: Int? = contents.withLock { contents in
            guard contents.streams.count < Self.limit else { return nil }
            let number = contents.nextNumber
            contents.nextNumber += 1
            contents.streams[number] = Stream(continuation: stream)
            if contents.observation == nil { contents.observation = observe() }
            return number
        }
        guard let number else { return nil }
        // A stream keeps the feed.
        stream.onTermination = { _ in self.remove(number) }
        return Parts(stream: parts) { self.takeDropped(number) }
    }

    private func takeDropped(_ number: Int) -> Int {
        contents.withLock { contents in
            defer { contents.streams[number]?.dropped = 0 }
            return contents.streams[number]?.dropped ?? 0
        }
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
                        self?.end(.failure("\(error)"))
                    }
                }
            }
        }
    }

    private func send(_ part: Part) {
        let streams = contents.withLock { contents in
            if case .commit(let commit) = part { contents.last = LastCommit(commit: commit, moment: Date()) }
            return contents.streams
        }
        for (number, stream) in streams {
            guard case .dropped(let lost) = stream.continuation.yield(part), case .commit(let commit) = lost else {
                continue
            }
            contents.withLock { $0.streams[number]?.dropped.addClamped(commit.count) }
        }
    }

    /// Ends all streams, and the observation: the next stream begins another.
    private func end(_ part: Part) {
        let streams = contents.withLock { contents in
            defer {
                contents.streams = [:]
                contents.observation?.cancel()
                contents.observation = nil
            }
            return contents.streams
        }
        for stream in streams.values {
            stream.continuation.yield(part)
            stream.continuation.finish()
        }
    }
}
#endif

#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The channels of a `CurlChannelLoop`, and the wait for their events. Confined to the thread of the loop.
final class CurlChannelWorker {
    let bell: CurlChannelBell?
    private var channels: [Int: CurlChannel] = [:]
    /// The receive buffer of all channels, which copy their bytes from it.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(bell: CurlChannelBell?) { self.bell = bell }

    deinit { buffer.deallocate() }

    var isBusy: Bool { !channels.isEmpty }

    func perform(_ job: CurlChannelLoop.Job, _ id: Int) {
        switch job {
        case .open(let opening): open(opening, id)
        case .receive(let completion):
            guard let channel = channels[id] else { return completion(.failure(CurlChannel.closed)) }
            channel.receive(into: buffer, completion)
        case .send(let bytes, let completion):
            guard let channel = channels[id] else { return completion(.failure(CurlChannel.closed)) }
            channel.send(bytes, completion)
        case .close: channels.removeValue(forKey: id)?.close()
        }
    }

    private func open(_ opening: CurlChannelLoop.Opening, _ id: Int) {
        do throws(TransportError) {
            // Without a bell the thread could not be woken.
            guard bell != nil else { throw CurlChannel.noDescriptors }
            channels[id] = try CurlChannel(opening)
        } catch {
            opening.completion(.failure(error))
        }
    }

    /// Waits for the network, a timer of libcurl or the bell, and handles the events.
    /// - Parameter maySleep: Called before the wait; if it returns false, the wait is skipped.
    func step(maySleep: () -> Bool) {
        guard let bell, isBusy else { return }
        var waits = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        // Each channel with the range of its descriptors.
        var owners: [(channel: CurlChannel, range: Range<Int>)] = []
        for channel in channels.values {
            let start = waits.count
            channel.addDescriptors(to: &waits)
            owners.append((channel, start..<waits.count))
        }
        let timeout = maySleep() ? pollTimeout : 0
        _ = poll(&waits, nfds_t(waits.count), timeout)
        if waits[0].revents != 0 { bell.silence() }
        for (channel, range) in owners { channel.step(waits[range].filter { $0.revents != 0 }, buffer) }
    }

    /// The timeout in milliseconds; -1 for none.
    private var pollTimeout: CInt {
        guard let deadline = channels.values.lazy.compactMap(\.deadline).min() else { return -1 }
        let nanoseconds = (deadline - .now).nanosecondsClamped
        return CInt(clamping: (nanoseconds + 999_999) / 1_000_000)
    }
}
#endif

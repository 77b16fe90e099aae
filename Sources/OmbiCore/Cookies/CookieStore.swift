#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of a jar by domain, within limits.
struct CookieStore {
    private struct Entry {
        var cookie: Cookie
        /// The creation order; a replacement inherits it, like the creation date.
        var number: Int
        /// The order of last use.
        var lastUse: Int
    }

    private let maximumCount: Int
    private let maximumCountPerDomain: Int
    private var entries: [String: [Entry]] = [:]
    private var count = 0
    private var counter = 0

    init(maximumCount: Int, maximumCountPerDomain: Int) {
        self.maximumCount = maximumCount
        self.maximumCountPerDomain = maximumCountPerDomain
    }

    var isEmpty: Bool { count == 0 }

    func all(at now: Date) -> [Cookie] {
        entries.values.joined().filter { !$0.cookie.hasExpired(at: now) }.sorted { $0.number < $1.number }
            .map(\.cookie)
    }

    /// Returns the cookies for a request in the order of §5.8.3, and marks them as used.
    mutating func take(for target: CookieTarget, now: Date) -> [Cookie] {
        var taken: [Entry] = []
        counter += 1
        for (index, domain) in target.domains.enumerated() {
            removeExpired(in: domain, now: now)
            guard var bucket = entries[domain] else { continue }
            for position in bucket.indices where isSent(bucket[position].cookie, to: target, isHost: index == 0) {
                bucket[position].lastUse = counter
                taken.append(bucket[position])
            }
            entries[domain] = bucket
        }
        return taken.sorted { left, right in
            let (leftPath, rightPath) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return leftPath == rightPath ? left.number < right.number : leftPath > rightPath
        }.map(\.cookie)
    }

    private func isSent(_ cookie: Cookie, to target: CookieTarget, isHost: Bool) -> Bool {
        (isHost || !cookie.isHostOnly) && (!cookie.isSecure || target.isSecure)
            && CookieTarget.path(target.path, isWithin: cookie.path)
    }

    /// Adds a cookie from a server, unless it is insecure and would shadow a secure one (§5.7 step 16).
    mutating func add(_ cookie: Cookie, from target: CookieTarget, now: Date) {
        guard cookie.isSecure || target.isSecure || !hidesSecure(cookie) else { return }
        add(cookie, now: now)
    }

    private func hidesSecure(_ cookie: Cookie) -> Bool {
        entries.contains { domain, bucket in
            let isRelated =
                domain == cookie.domain || CookieTarget.isSubdomain(domain, of: cookie.domain)
                || CookieTarget.isSubdomain(cookie.domain, of: domain)
            return isRelated
                && bucket.contains {
                    $0.cookie.isSecure && $0.cookie.name == cookie.name
                        && CookieTarget.path(cookie.path, isWithin: $0.cookie.path)
                }
        }
    }

    /// Adds a cookie in place of the one with the same identity. An expired cookie only removes that.
    mutating func add(_ cookie: Cookie, now: Date) {
        counter += 1
        var entry = Entry(cookie: cookie, number: counter, lastUse: counter)
        var bucket = entries[cookie.domain] ?? []
        if let index = bucket.firstIndex(where: { cookie.replaces($0.cookie) }) {
            let old = bucket.remove(at: index)
            count -= 1
            entry.number = old.number
            entry.cookie.createdAt = old.cookie.createdAt
        }
        if !cookie.hasExpired(at: now) {
            bucket.append(entry)
            count += 1
        }
        entries[cookie.domain] = bucket.isEmpty ? nil : bucket
        shrink(cookie.domain, now: now)
    }

    /// Evicts by the priorities of §5.7: expired cookies, insecure cookies of a domain above its limit, other cookies of
    /// such a domain, all cookies. The least recently used one goes first.
    private mutating func shrink(_ domain: String, now: Date) {
        if entries[domain]?.count ?? 0 > maximumCountPerDomain {
            removeExpired(in: domain, now: now)
            while let bucket = entries[domain], bucket.count > maximumCountPerDomain {
                let candidates =
                    bucket.contains { !$0.cookie.isSecure } ? bucket.filter { !$0.cookie.isSecure } : bucket
                remove(candidates.min { $0.lastUse < $1.lastUse })
            }
        }
        guard count > maximumCount else { return }
        for domain in Array(entries.keys) { removeExpired(in: domain, now: now) }
        while count > maximumCount {
            remove(entries.values.joined().min { $0.lastUse < $1.lastUse })
        }
    }

    private mutating func remove(_ entry: Entry?) {
        guard let entry else { return }
        removeAll(in: entry.cookie.domain) { $0.number == entry.number }
    }

    private mutating func removeExpired(in domain: String, now: Date) {
        removeAll(in: domain) { $0.cookie.hasExpired(at: now) }
    }

    private mutating func removeAll(in domain: String, where isRemoved: (Entry) -> Bool) {
        guard let bucket = entries[domain], bucket.contains(where: isRemoved) else { return }
        let rest = bucket.filter { !isRemoved($0) }
        count -= bucket.count - rest.count
        entries[domain] = rest.isEmpty ? nil : rest
    }

    mutating func removeAll(where isRemoved: (Cookie) -> Bool) {
        for domain in Array(entries.keys) { removeAll(in: domain) { isRemoved($0.cookie) } }
    }
}

package order

// Set returns the elements of a list as a set.
func Set[T comparable](list []T) map[T]bool {
	return SetOf(list, func(x T) T { return x })
}

// SetOf returns the keys of the elements of a list as a set.
func SetOf[T any, K comparable](list []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, x := range list {
		set[key(x)] = true
	}
	return set
}

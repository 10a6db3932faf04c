fn main() {
    print!("{}", digest::report());
}

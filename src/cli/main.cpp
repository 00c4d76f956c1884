// vitro: one program, its subcommands in files of their own.
int main() { return 0; }
